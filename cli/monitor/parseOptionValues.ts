import { parseVerifierKey, type VerifierKey } from '../audit/parseVerifierKey.ts'
import { UsageError } from '../terminal/usageError.ts'

/** Parses the ids in `--log`; null without any. @throws UsageError for one that is not an id. */
export function parseLogIds(ids: readonly string[] | undefined): ReadonlySet<string> | null {
  if (ids?.some((id) => !/^0x[0-9a-f]{64}$/.test(id)))
    throw new UsageError('--log must be 0x and 64 hexadecimal digits')
  return ids === undefined ? null : new Set(ids)
}

/** Parses the keys in `--log-key`, by the id of the log that each names. @throws UsageError for a mistake. */
export function parseLogKeys(
  texts: readonly string[],
  logIds: ReadonlySet<string> | null,
): ReadonlyMap<string, VerifierKey> {
  const keys = new Map<string, VerifierKey>()
  for (const text of texts) {
    const key = parseKey('--log-key', text, 'signature')
    const id = /\/(0x[0-9a-f]{64})$/.exec(key.name)?.[1]
    if (id === undefined) throw new UsageError(`--log-key ${key.name} does not name a log`)
    if (logIds !== null && !logIds.has(id))
      throw new UsageError(`--log-key is of the log ${id}, which no --log names`)
    if (keys.has(id)) throw new UsageError(`two --log-key are of the log ${id}`)
    keys.set(id, key)
  }
  return keys
}

/** Parses a verifier key. @throws UsageError that names the option. */
export function parseKey(option: string, text: string, type: VerifierKey['type']): VerifierKey {
  try {
    return parseVerifierKey(text, option, type)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Parses a URL. @throws UsageError that names the option. */
export function parseAddress(option: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`${option} must be a URL with http:// or https://`)
  return text
}

/** Parses a whole number of up to six digits. @throws UsageError that names the option. */
export function parseNumber(option: string, text: string | undefined, byDefault: number, least = 0): number {
  if (text === undefined) return byDefault
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`${option} must be a whole number`)
  if (Number(text) < least) throw new UsageError(`${option} must be at least ${least}`)
  return Number(text)
}
