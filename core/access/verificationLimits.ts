/** Maximum length of texts (characters) and lists (items). */
export const MAX_LENGTHS = {
  identifier: 64,
  name: 200,
  url: 2048,
  resource: 2048,
  evidence: 8192,
  proof: 8192,
  mandate: 32_768,
  payee: 256,
  coveredHeaders: 64,
  list: 100,
} as const

/** The largest value of a transaction. */
export const MONEY_MAX = 1e15

/** A year. */
export const SESSION_SECONDS_MAX = 31_536_000
