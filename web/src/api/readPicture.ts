import { ApiFailure } from './apiFailure.ts'
import { session } from './session.ts'

const TIMEOUT_MS = 30_000

/**
 * Reads a picture that only whoever is signed in may see, as an address to show it by.
 *
 * @throws ApiFailure.
 */
export async function readPicture(path: string): Promise<string> {
  const first = await ask(path)
  if (first.status !== 401) return shown(first)
  await session.refresh()
  return shown(await ask(path))
}

async function ask(path: string): Promise<Response> {
  try {
    return await fetch(path, {
      headers: { Authorization: `Bearer ${session.token()}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new ApiFailure('NETWORK_ERROR', 'The picture could not be read. Try again.')
  }
}

async function shown(response: Response): Promise<string> {
  if (response.ok) return pictureAddress(await response.blob())
  const message =
    response.status === 410 ? 'The picture was deleted with the decision.' : 'The picture cannot be shown.'
  throw new ApiFailure(`HTTP_${response.status}`, message, { status: response.status })
}

/** An address that holds a picture itself: the page's policy lets pictures come from nowhere else. */
export function pictureAddress(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('the picture cannot be read', { cause: reader.error }))
    reader.readAsDataURL(picture)
  })
}
