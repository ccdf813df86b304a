import { buildMrzLines } from './buildMrzLines.ts'
import { encodeJpeg, encodePng } from './pictures.ts'

/** Parts of an upload; content that is not a string is a file. */
export type UploadParts = readonly (readonly [name: string, content: Uint8Array | string])[]

/** A complete and valid upload. */
export const KYD_PARTS: UploadParts = [
  ['passport', encodeJpeg(640, 480)],
  ['selfie', encodePng(300, 400)],
  ['mrz', buildMrzLines()],
]

/** Uploads the parts as a browser does; the files have an arbitrary name and type. */
export async function postKyd(baseUrl: string, bearer: string, parts: UploadParts = KYD_PARTS) {
  const body = new FormData()
  for (const [name, content] of parts) {
    if (typeof content === 'string') body.append(name, content)
    else body.append(name, new Blob([new Uint8Array(content)], { type: 'text/html' }), 'index.html')
  }
  const response = await fetch(`${baseUrl}/api/kyd`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
