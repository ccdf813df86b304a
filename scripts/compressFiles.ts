import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Above this size, in bytes, the best compression takes seconds for a tenth less. */
const LARGE = 1_000_000

/** Leaves compressed forms of built files beside them, which the server sends to whoever accepts them. */
export async function compressFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path)
      const quality = content.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}
