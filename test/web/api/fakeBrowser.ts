import { createFakeBrowser } from './createFakeBrowser.ts'

/** The browser of all tests of a process, because the modules of the dashboard open their channel once. */
export const fakeBrowser = createFakeBrowser()
