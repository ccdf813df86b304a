import { readFile } from 'node:fs/promises'

const TIMEOUT_MS = 10_000

/** The mark of the byte order, which Windows writes at the beginning of a file and a fetch takes away. */
export const BYTE_ORDER_MARK = /^\ufeff/

/**
 * The text of a file, or of what answers at an address.
 *
 * @throws Error whose message is a sentence for the auditor.
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
    throw new Error(`Nothing answers at ${address}.`, { cause })
  }
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(unreachable)
  const text = await response.text().catch(unreachable)
  if (response.ok) return text
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1]
  throw new Error(`${address} answers ${response.status}${code === undefined ? '' : ` ${code}`}.`)
}
