import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the programs for other people's frameworks. */
export const FRAMEWORKS = join(import.meta.dirname, '../../../frameworks')

/** Whether `npm run frameworks:install` has installed those frameworks. */
export const hasFrameworks = (): boolean => existsSync(join(FRAMEWORKS, 'node_modules'))
