/** Far above any answer of the service; what is longer does not come from it. */
const BODY_BYTES_MAX = 1_048_576

/**
 * Reads the text of a response, and no more of it than the memory of whoever asks is worth.
 *
 * @returns undefined when it is longer than a mebibyte; the rest is then not read.
 * @throws whatever broke the response off, the time limit of its request among it.
 */
export async function readBody(response: Response): Promise<string | undefined> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > BODY_BYTES_MAX) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
