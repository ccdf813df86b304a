import type { Arrival } from '../../../harness/service/createCookieBrowser.ts'

/** Returns the parameters that a page receives in the fragment of its URL, which no server or log sees. */
export const told = ({ url }: Pick<Arrival, 'url'>) =>
  Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
