import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Lets every process of a test run, those that tests start included, take what another has compiled: each of them loads
 * the same hundreds of modules.
 */
const folder = join(import.meta.dirname, '../../node_modules/.cache/compiled')
process.env.NODE_COMPILE_CACHE = folder
enableCompileCache(folder)
