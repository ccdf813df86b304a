import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { z } from 'zod'
import { readSource } from './readSource.ts'

/** Who must have issued receipts. */
export type Issuer = {
  /** `PUBLIC_URL` of the service; null accepts any that has one of the keys. */
  url: string | null
  /** Its public keys, as JWKs of which nothing is known. */
  keys: readonly Record<string, unknown>[]
  /** Where the keys come from, for the report. */
  source: string
}

const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(1_000) })

/**
 * Reads the keys of the issuer that the auditor named: from the file or URL given for them, otherwise from where the issuer
 * publishes them.
 *
 * @returns Null if neither was given.
 * @throws Error with a message for the auditor.
 */
export async function readIssuer({
  issuer,
  issuerKeys,
}: {
  issuer: string | null
  issuerKeys: string | null
}): Promise<Issuer | null> {
  const source = issuerKeys ?? (issuer === null ? null : `${issuer}/.well-known/jwks.json`)
  if (source === null) return null
  const { success, data } = keySet.safeParse(parseJsonObject(await readSource(source, 'keys')))
  if (!success) throw new Error(`${source} is no response of GET /.well-known/jwks.json`)
  return { url: issuer, keys: data.keys, source }
}
