import { readFile } from 'node:fs/promises'

const TIMEOUT_MS = 10_000

/** The byte order mark, which Windows writes at the beginning of a file and `fetch` removes. */
export const BYTE_ORDER_MARK = /^\ufeff/

/**
 * Reads the text of a file or a URL.
 *
 * @throws Error with a message for the auditor.
 */
export async function readSource(source: string): Promise<string> {
  if (/^https?:\/\//.test(source)) return await fetchText(source)
  try {
    return (await readFile(source, 'utf8')).replace(BYTE_ORDER_MARK, '')
  } catch (cause) {
    throw new Error(`${source} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

async function fetchText(address: string): Promise<string> {
  const unreachable = (cause: unknown) => {
    throw new Error(`No response from ${address}.`, { cause })
  }
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(unreachable)
  const text = await response.text().catch(unreachable)
  if (response.ok) return text
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1]
  throw new Error(`${address} returned ${response.status}${code === undefined ? '' : ` ${code}`}.`)
}
