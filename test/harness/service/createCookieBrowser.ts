/** A response that is not a redirect, or the address of the app's page at which the redirects ended. */
export type Arrival = { url: URL; status: number; text: string; setCookies: string[] }

/**
 * Creates a minimal browser that follows redirects and keeps cookies, using plain requests.
 *
 * @param app `url` is the address that the service is configured with, `baseUrl` the one it really listens on.
 */
export function createCookieBrowser(app: { url: string; baseUrl: string }) {
  const jar = new Map<string, Map<string, string>>()
  const cookiesOf = (origin: string) => jar.get(origin) ?? jar.set(origin, new Map()).get(origin) ?? new Map()

  const send = async (url: URL, init: RequestInit = {}): Promise<Response> => {
    const cookies = cookiesOf(url.origin)
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const target = url.href.replace(app.url, app.baseUrl)
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) }
    const answer = await fetch(target, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const [name = '', ...value] = pair.split('=')
      const isExpired = attributes.some((part) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(part))
      if (isExpired) cookies.delete(name)
      else cookies.set(name, value.join('='))
    }
    return answer
  }

  const follow = async (start: URL, init?: RequestInit): Promise<Arrival> => {
    let [url, answer] = [start, await send(start, init)]
    for (let hops = 0; hops < 12; hops += 1) {
      const setCookies = answer.headers.getSetCookie()
      const location = answer.headers.get('location')
      const text = await answer.text()
      if (answer.status < 300 || answer.status > 399 || location === null) {
        return { url, status: answer.status, text, setCookies }
      }
      url = new URL(location, url)
      if (url.href.startsWith(`${app.url}/sign-in/`)) return { url, status: 200, text: '', setCookies }
      answer = await send(url)
    }
    throw new Error('too many redirects')
  }

  return {
    cookiesOf,
    send,
    visit: (url: string) => follow(new URL(url, app.url)),
    submit: (page: Arrival, fields: Record<string, string>) =>
      follow(page.url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
    async post(path: string, body: unknown, bearer?: string) {
      const answer = await send(new URL(path, app.url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        },
        body: JSON.stringify(body),
      })
      // biome-ignore lint/suspicious/noExplicitAny: tests read responses by their documented names
      return { status: answer.status, body: JSON.parse(await answer.text()) as any }
    },
  }
}

export type CookieBrowser = ReturnType<typeof createCookieBrowser>
