import { expect } from 'chai'
import { type OpenAccounts, openAccounts } from './openAccounts.ts'
import { PASSWORD, type Person, register } from './person.ts'

type Item = Record<string, string>

/** Lists of an account: how to create the newest item of each, and how to delete one. */
const LISTS = {
  'API keys': {
    path: async () => '/api/api-keys',
    idOf: ({ id }: Item) => String(id),
    add: (person: Person) => person.createKey(),
    remove: (person: Person, path: string, id: string) => person.call('DELETE', `${path}/${id}`),
  },
  sessions: {
    path: async () => '/api/auth/sessions',
    idOf: ({ id }: Item) => String(id),
    add: (person: Person, accounts: OpenAccounts) =>
      accounts.call('POST', '/api/auth/login', { body: { email: person.email, password: PASSWORD } }),
    remove: (person: Person, path: string, id: string) => person.call('DELETE', `${path}/${id}`),
  },
  members: {
    path: async (person: Person) => `/api/organizations/${await person.createOrganization()}/members`,
    idOf: ({ id }: Item) => String(id),
    add: (person: Person, _: OpenAccounts, path: string) =>
      person.call('POST', path, { email: `guest${Math.random()}@example.org`, role: 'member' }),
    remove: (person: Person, path: string, id: string) => person.call('DELETE', `${path}/${id}`),
  },
  organisations: {
    path: async () => '/api/organizations',
    idOf: ({ organizationId }: Item) => String(organizationId),
    add: async (person: Person, accounts: OpenAccounts, path: string) => {
      const { organizationId } = (await person.call('POST', path, { name: 'one' })).body
      await accounts.db.query('memberships').insert({
        organization_id: organizationId,
        user_id: (await otherUser(accounts)).id,
        role: 'owner',
        status: 'active',
        created_at: 0,
      })
    },
    remove: (person: Person, path: string, id: string) =>
      person.call('DELETE', `${path}/${id}/members/${person.userId}`),
  },
}

function otherUser(accounts: OpenAccounts): Promise<{ id: string }> {
  return accounts.db.query('users').select('id').where({ email: 'other@example.org' }).first()
}

describe('a list that changes between pages', () => {
  let accounts: OpenAccounts
  before(async () => {
    accounts = await openAccounts()
    await register(accounts, 'other')
  })
  after(() => accounts.close())

  for (const [index, [name, { path: pathOf, idOf, add, remove }]] of Object.entries(LISTS).entries()) {
    describe(name, () => {
      const begin = async (nth: string) => {
        const person = await register(accounts, `reader-${index}-${nth}`)
        const path = await pathOf(person)
        for (let count = 0; count < 5; count += 1) {
          accounts.time.now += 1_000
          await add(person, accounts, path)
        }
        const all = await pageOf(person, path, '?limit=100')
        const first = await pageOf(person, path, '?limit=2')
        return { person, path, all: all.ids, first }
      }
      const pageOf = async (person: Person, path: string, query: string) => {
        const { status, body } = await person.call('GET', `${path}${query}`)
        expect(status).to.equal(200)
        return { ids: (body.items as Item[]).map(idOf), nextCursor: body.nextCursor as string | null }
      }

      it('continues after the last item if an earlier one is deleted', async () => {
        const { person, path, all, first } = await begin('less')
        await remove(person, path, String(first.ids[0]))
        const rest = await pageOf(person, path, `?limit=100&cursor=${first.nextCursor}`)
        expect([...first.ids, ...rest.ids]).to.deep.equal(all)
        expect(rest.nextCursor).to.equal(null)
      })

      it('continues after the last item if that item is deleted', async () => {
        const { person, path, all, first } = await begin('itself')
        await remove(person, path, String(first.ids[1]))
        const rest = await pageOf(person, path, `?limit=100&cursor=${first.nextCursor}`)
        expect([...first.ids, ...rest.ids]).to.deep.equal(all)
      })

      it('repeats no item if one is added', async () => {
        const { person, path, all, first } = await begin('more')
        accounts.time.now += 1_000
        await add(person, accounts, path)
        const rest = await pageOf(person, path, `?limit=100&cursor=${first.nextCursor}`)
        expect([...first.ids, ...rest.ids]).to.deep.equal(all)
      })
    })
  }
})
