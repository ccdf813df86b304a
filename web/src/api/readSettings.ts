import type { AnswerOf } from '@svc/core/contract/operations.ts'
import type { Call, ReadKey } from './call.ts'
import { withAccessToken } from './callApi.ts'
import { fetchResponse } from './request.ts'

export type Settings = Readonly<Record<string, unknown>>

/** Settings as the service has them now; a change with their `tag` is refused once they are different. */
export type TaggedSettings = { settings: Settings; tag: string | null }

/**
 * Reads the settings of a resource with their `ETag`.
 *
 * @throws ApiFailure.
 */
export async function readSettings<Key extends ReadKey>(
  key: Key,
  call: Call<Key>,
  settingsOf: (answer: AnswerOf<Key>) => Settings,
): Promise<TaggedSettings> {
  const response = await withAccessToken((token) => fetchResponse(key, call, { token }))
  return { settings: settingsOf(await response.json()), tag: response.headers.get('etag') }
}
