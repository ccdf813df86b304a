/**
 * Finds the caller among the addresses of `X-Forwarded-For`: the one that the outermost trusted proxy has added. Whatever
 * stands before it was sent by the caller. Undefined without addresses.
 *
 * @param proxies Number of trusted proxies, at least 1. With fewer addresses than that, the first is the caller.
 */
export function findCaller(forwardedFor: string | undefined, proxies: number): string | undefined {
  const addresses = (forwardedFor ?? '').split(',').flatMap((address) => address.trim() || [])
  return addresses.at(-proxies) ?? addresses[0]
}
