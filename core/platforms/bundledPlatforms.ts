import type { PlatformFile } from './platform.ts'
import file from './platforms.json' with { type: 'json' }

/**
 * The platforms that are recognised when no other file is named; a test holds the file to its schema.
 *
 * Source: platforms.md.
 */
export const bundledPlatforms: PlatformFile = file
