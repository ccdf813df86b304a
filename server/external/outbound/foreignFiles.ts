import type { GetText } from './outboundHttp.ts'

/** Why no text was read. */
export type ReadFault = 'no_token_uri' | 'uri_not_supported' | 'file_unreachable' | 'file_too_long'

/** Reads what a token URI points to. */
export type ReadForeignFile = (
  uri: string,
) => Promise<{ ok: true; text: string } | { ok: false; fault: ReadFault }>

const LENGTH_MAX = 64 * 1024
const DATA = /^data:application\/json(?:;charset=utf-?8)?(;base64)?,(.*)$/is
const IPFS = /^ipfs:\/\/(?:ipfs\/)?([A-Za-z0-9]{10,200})(\/[^?#\\]*)?$/

/**
 * Creates the reader of foreign registration files: `https:` by the guarded client, `ipfs:` through the operator's gateway,
 * `data:` as it stands.
 *
 * Redirects are not followed, because the guarded client checks one address.
 */
export function createForeignFiles(given: {
  getText: GetText
  /** Null if `ipfs:` URIs are refused. */
  ipfsGatewayUrl: string | null
}): ReadForeignFile {
  const fetchText = async (url: string): ReturnType<ReadForeignFile> => {
    try {
      const { status, body } = await given.getText(url, { Accept: 'application/json' })
      return status === 200 ? { ok: true, text: body } : { ok: false, fault: 'file_unreachable' }
    } catch (error) {
      const isTooLong = error instanceof Error && error.message === 'the response is too long'
      return { ok: false, fault: isTooLong ? 'file_too_long' : 'file_unreachable' }
    }
  }
  return async (uri) => {
    if (uri === '') return { ok: false, fault: 'no_token_uri' }
    if (uri.length > LENGTH_MAX * 2) return { ok: false, fault: 'file_too_long' }
    const data = DATA.exec(uri)
    if (data !== null) return readData(data[2] ?? '', data[1] !== undefined)
    const [, cid, path = ''] = IPFS.exec(uri) ?? []
    if (cid !== undefined && given.ipfsGatewayUrl !== null) {
      if (hasDotSegment(path)) return { ok: false, fault: 'uri_not_supported' }
      return fetchText(`${given.ipfsGatewayUrl}/ipfs/${cid}${path}`)
    }
    if (!/^https?:\/\//i.test(uri) || !URL.canParse(uri)) return { ok: false, fault: 'uri_not_supported' }
    return fetchText(uri)
  }
}

/**
 * Whether a path leads out of its folder, in whichever spelling: an operator's gateway may serve other things beside IPFS. A
 * percent sign may be encoded itself, because proxies before the gateway may decode the path again.
 */
function hasDotSegment(path: string): boolean {
  const decoded = path.replace(/%(?:25)*2e/gi, '.').replace(/%(?:25)*(?:2f|5c)/gi, '/')
  // `URL` leaves out tabs and line ends, so that `.\t.` becomes `..`.
  return /\s|%(?:25)*[01]/i.test(path) || /\/\.{1,2}(?:\/|$)/.test(decoded)
}

function readData(payload: string, isBase64: boolean): Awaited<ReturnType<ReadForeignFile>> {
  let text: string
  try {
    text = isBase64 ? Buffer.from(payload, 'base64').toString('utf8') : decodeURIComponent(payload)
  } catch {
    return { ok: false, fault: 'file_unreachable' }
  }
  return text.length > LENGTH_MAX ? { ok: false, fault: 'file_too_long' } : { ok: true, text }
}
