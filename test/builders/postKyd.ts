import { buildMrzLines } from './buildMrzLines.ts'
import { encodeJpeg, encodePng } from './pictures.ts'

/** Parts of an upload; a file unless it is text. */
export type UploadParts = readonly (readonly [name: string, content: Uint8Array | string])[]

/** Everything that is asked for, as it should be. */
export const KYD_PARTS: UploadParts = [
  ['passport', encodeJpeg(640, 480)],
  ['selfie', encodePng(300, 400)],
  ['mrz', buildMrzLines()],
]

/** Sends parts as a browser does; files have a name and a type that say nothing. */
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
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
