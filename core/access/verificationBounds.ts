/** Longest texts (characters) and lists (items) of a verification request. */
export const MAX_LENGTHS = {
  identifier: 64,
  name: 200,
  url: 2048,
  resource: 2048,
  evidence: 8192,
  list: 100,
} as const

/** Largest amount of a transaction. */
export const MONEY_MAX = 1e15

/** Longest session that can be asked for: a year. */
export const SESSION_SECONDS_MAX = 31_536_000
