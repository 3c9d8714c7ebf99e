export { quoteBareNonFinite } from "./bare-non-finite.ts";
