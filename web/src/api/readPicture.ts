import { ApiFailure } from './apiFailure.ts'
import { type Call, pathOf, type ReadKey } from './call.ts'
import { session } from './session.ts'

const TIMEOUT_MS = 30_000

/**
 * Fetches a picture that only the signed-in user may see, as a data URL.
 *
 * @throws ApiFailure.
 */
export async function readPicture<Key extends ReadKey>(key: Key, call: Call<Key>): Promise<string> {
  const path = pathOf(key, call)
  const first = await fetchPicture(path)
  if (first.status !== 401) return toPicture(first)
  await session.refresh()
  return toPicture(await fetchPicture(path))
}

async function fetchPicture(path: string): Promise<Response> {
  try {
    return await fetch(path, {
      headers: { Authorization: `Bearer ${session.token()}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new ApiFailure('NETWORK_ERROR', 'The picture could not be loaded. Try again.')
  }
}

async function toPicture(response: Response): Promise<string> {
  if (response.ok) return toDataUrl(await response.blob())
  const message =
    response.status === 410
      ? 'The picture was deleted after the decision.'
      : 'The picture could not be loaded.'
  throw new ApiFailure(`HTTP_${response.status}`, message, { status: response.status })
}

/** Encodes a picture as a data URL, which the content security policy allows. */
export function toDataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('the picture could not be read', { cause: reader.error }))
    reader.readAsDataURL(picture)
  })
}
