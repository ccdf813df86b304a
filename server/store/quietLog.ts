const nothing = (): void => undefined

/** Keeps knex from writing to the console what it also throws. */
export const QUIET = { warn: nothing, error: nothing, debug: nothing, deprecate: nothing }
