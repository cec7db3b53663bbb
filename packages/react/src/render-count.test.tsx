import { testRenderCounts } from "./test-support/render-count.tsx";

testRenderCounts(300);
