import * as fc from "fast-check";

// One commit has one result: properties are tried with the same values each time. The long version
// draws new ones, and tries every property that names no count of its own this often.
fc.configureGlobal(process.env["TURNWIRE_SOAK"] === "1" ? { numRuns: 3000 } : { seed: 20_261_116 });
