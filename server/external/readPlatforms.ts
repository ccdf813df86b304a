import { readFileSync } from 'node:fs'
import { bundledPlatforms } from '@svc/core/platforms/bundledPlatforms.ts'
import { type PlatformFile, platformFileSchema } from '@svc/core/platforms/platform.ts'

/**
 * Reads the file of recognised platforms; default the bundled one.
 *
 * @throws Error naming the file and what is wrong with it.
 */
export function readPlatforms(file: string | undefined): PlatformFile {
  if (file === undefined) return bundledPlatforms
  try {
    return platformFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Setting PLATFORMS_FILE: ${file} is not a file of platforms: ${detail}`, { cause })
  }
}
