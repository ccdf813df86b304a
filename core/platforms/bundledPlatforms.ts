import type { PlatformFile } from './platform.ts'
import file from './platforms.json' with { type: 'json' }

/** The platforms that are recognised when no other file is configured; a test validates the file against its schema. */
export const bundledPlatforms: PlatformFile = file
