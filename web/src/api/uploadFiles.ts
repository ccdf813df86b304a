import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { parseJson } from '@svc/core/parseJson.ts'
import { ApiFailure } from './apiFailure.ts'
import { pathOf } from './call.ts'
import { session } from './session.ts'

/** The operations that take files. */
type UploadKey = 'POST /api/kyd'

const TIMEOUT_MS = 120_000

/**
 * Uploads a form with files as the signed-in user and reports the progress, from 0 to 1.
 *
 * Uses XMLHttpRequest because `fetch` reports no upload progress.
 *
 * @throws ApiFailure.
 */
export async function uploadFiles<Key extends UploadKey>(
  key: Key,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<AnswerOf<Key>> {
  try {
    return await send(key, form, onProgress)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    await session.refresh()
    return send(key, form, onProgress)
  }
}

function send<Key extends UploadKey>(
  key: Key,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<AnswerOf<Key>> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const failToReach = () =>
      reject(new ApiFailure('NETWORK_ERROR', 'The pictures did not reach the service. Try again.'))
    xhr.open('POST', pathOf(key, {}))
    xhr.timeout = TIMEOUT_MS
    xhr.setRequestHeader('Accept', 'application/json')
    xhr.setRequestHeader('Authorization', `Bearer ${session.token()}`)
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    xhr.onerror = failToReach
    xhr.ontimeout = failToReach
    xhr.onload = () => {
      const answer = parseJson(xhr.responseText)
      if (xhr.status < 300) resolve(answer as AnswerOf<Key>)
      else reject(toApiFailure(xhr, answer))
    }
    xhr.send(form)
  })
}

function toApiFailure(xhr: XMLHttpRequest, answer: unknown): ApiFailure {
  const envelope = (answer ?? {}) as { code?: string; message?: string; errors?: ApiFailure['errors'] }
  return new ApiFailure(
    envelope.code ?? `HTTP_${xhr.status}`,
    envelope.message ?? 'The service did not explain what went wrong.',
    {
      status: xhr.status,
      requestId: xhr.getResponseHeader('x-request-id'),
      errors: envelope.errors ?? [],
    },
  )
}
