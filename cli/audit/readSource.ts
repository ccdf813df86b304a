import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { readText } from '@svc/client/http/readResponse.ts'

const TIMEOUT_MS = 10_000

/** The most bytes that are read of each kind of document: many times the length of a real one. Authors are not trusted. */
const DOCUMENT_BYTES_MAX = {
  /** A proof with or without a receipt, a checkpoint, a batch, a report of this tool. */
  proof: 1_048_576,
  /** The keys of a log with their hand-overs, or the keys of an issuer of receipts. */
  keys: 1_048_576,
  consistency: 65_536,
  /** The response of `GET /api/chain`. */
  chain: 65_536,
  /** Identifiers of records that the auditor received, one a line: more than a million. */
  received: 67_108_864,
} as const

type DocumentKind = keyof typeof DOCUMENT_BYTES_MAX

/** Whether a document is fetched from a service, and not read from a file. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//.test(source)
}

/**
 * Reads the text of a file or a URL, up to the most bytes of its kind. A URL has to return all of it within ten seconds, and
 * is not redirected: the auditor has to know which service a document comes from.
 *
 * @throws Error with a message for the auditor.
 */
export async function readSource(
  source: string,
  kind: DocumentKind,
  timeoutMs = TIMEOUT_MS,
): Promise<string> {
  const text = isUrl(source) ? await fetchText(source, kind, timeoutMs) : await readFileText(source, kind)
  if (text === undefined)
    throw new Error(
      `${source} is longer than ${DOCUMENT_BYTES_MAX[kind]} bytes, the most of a document of this kind.`,
    )
  return text
}

async function readFileText(file: string, kind: DocumentKind): Promise<string | undefined> {
  const stream = createReadStream(file)
  try {
    const body = Readable.toWeb(stream) as ReadableStream<Uint8Array<ArrayBuffer>>
    return await readText({ body }, DOCUMENT_BYTES_MAX[kind])
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  } finally {
    stream.destroy()
  }
}

async function fetchText(
  address: string,
  kind: DocumentKind,
  timeoutMs: number,
): Promise<string | undefined> {
  const failWith = (message: string) => (cause: unknown) => {
    throw new Error(message, { cause })
  }
  const signal = AbortSignal.timeout(timeoutMs)
  const request = fetch(address, { redirect: 'manual', signal })
  const response = await request.catch(failWith(`No response from ${address}.`))
  const location = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && location !== null) {
    await response.body?.cancel()
    throw new Error(`${address} redirects to ${location}, which is not followed: name that address instead.`)
  }
  const text = await readText(response, DOCUMENT_BYTES_MAX[kind]).catch(
    failWith(`The response of ${address} broke off.`),
  )
  if (response.ok) return text
  const code = /"code":"([A-Z_]+)"/.exec(text ?? '')?.[1]
  throw new Error(`${address} returned ${response.status}${code === undefined ? '' : ` ${code}`}.`)
}
