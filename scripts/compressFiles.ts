import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** Leaves compressed forms of built files beside them, which the server sends to whoever accepts them. */
export function compressFiles(paths: readonly string[]): void {
  for (const path of paths) {
    const content = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(content))
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
  }
}
