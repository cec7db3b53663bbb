import * as fc from "fast-check";

// The long version: every property that names no count of its own is tried this often.
fc.configureGlobal({ numRuns: 3000 });
