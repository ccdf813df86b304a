import { expect } from 'chai'
import { createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

const HOSTS = ['registry.example', 'agents.example'] as const

describe('the host of passkeys', () => {
  it('is said at the sign-in once it is no longer that of the service', async () => {
    const folder = createTemporaryFolder()
    const readFormer = async (host: string, prepare?: (baseUrl: string) => Promise<void>) => {
      const settings = { APP_URL: `https://${host}` }
      const service = await startService({ dataDir: folder.path, database: 'sqlite', settings })
      try {
        await prepare?.(service.baseUrl)
        return (await api(service.baseUrl, 'GET', '/api/auth/methods')).body.formerPasskeyHosts
      } finally {
        await service.stop()
      }
    }
    try {
      const [first, second] = HOSTS
      expect(await readFormer(first, (baseUrl) => enrol(baseUrl, first))).to.deep.equal([])
      expect(await readFormer(second)).to.deep.equal([first])
      expect(await readFormer(first)).to.deep.equal([])
    } finally {
      folder.remove()
    }
  })

  async function enrol(baseUrl: string, host: string): Promise<void> {
    const person = { email: 'p@people.io', password: 'correct horse battery', fullName: 'A Person' }
    const { body } = await api(baseUrl, 'POST', '/api/auth/register', {
      body: { ...person, accountType: 'individual' },
    })
    const bearer = body.data.accessToken
    const post = (path: string, fields: object) =>
      api(baseUrl, 'POST', `/api/auth/passkeys/registration/${path}`, { bearer, body: fields })
    const authenticator = createAuthenticator({ origin: `https://${host}`, rpId: host })
    const response = authenticator.register((await post('options', {})).body.options)
    expect((await post('verify', { response, name: 'laptop' })).status).to.equal(201)
  }
})
