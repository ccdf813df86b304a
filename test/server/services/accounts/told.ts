import type { Arrival } from '../../../harness/service/createCookieBrowser.ts'

/** What a page of the app is told behind the `#` of its address, where no server and no log sees it. */
export const told = ({ url }: Pick<Arrival, 'url'>) =>
  Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
