import manifest from "../../package.json";

/** The running program's version, fixed when its bundle is built. */
export const VERSION: string = manifest.version;
