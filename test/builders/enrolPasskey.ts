import { createAuthenticator } from '../harness/peers/createAuthenticator.ts'
import { api } from '../harness/service/api.ts'

/** Enrols a passkey for a signed-in account of a started service; the result can use it. */
export async function enrolPasskey(
  baseUrl: string,
  bearer: string,
  appUrl = `http://localhost:${new URL(baseUrl).port}`,
) {
  const authenticator = createAuthenticator({ origin: appUrl, rpId: new URL(appUrl).hostname })
  const post = async (path: string, body: object = {}) => {
    const answer = await api(baseUrl, 'POST', `/api/auth/passkeys/${path}`, { bearer, body })
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const { options } = await post('registration/options')
  await post('registration/verify', { response: authenticator.register(options), name: 'key' })
  return {
    authenticator,
    /** Obtains a fresh elevation token. */
    async elevation(): Promise<string> {
      const { options: assertionOptions } = await post('authentication/options')
      const response = authenticator.assert(assertionOptions)
      return (await post('authentication/verify', { response })).elevationToken
    },
  }
}
