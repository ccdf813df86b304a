import { expect } from 'chai'
import { splitDatabaseUrl } from '../../../server/config/splitDatabaseUrl.ts'

describe('splitDatabaseUrl', () => {
  it('returns one URL a host, each with user, password, database and parameters', () => {
    const url = 'postgres://svc:a@b,c@db-a:5432,[::1],db-b:5433/svc?target_session_attrs=read-write'
    const of = (host: string) => `postgres://svc:a@b,c@${host}/svc?target_session_attrs=read-write`
    expect(splitDatabaseUrl(url)).to.deep.equal([
      { name: 'db-a:5432', url: of('db-a:5432') },
      { name: '[::1]', url: of('[::1]') },
      { name: 'db-b:5433', url: of('db-b:5433') },
    ])
  })

  it('returns a URL with one host, or none, as it is', () => {
    for (const [url, name] of [
      ['postgresql://svc@db/svc?options=-c%20a=b,c', 'db'],
      ['postgres:///svc?host=/run/postgresql', ''],
      ['postgres://db', 'db'],
    ] as const) {
      expect(splitDatabaseUrl(url)).to.deep.equal([{ name, url }])
    }
  })

  it('says what it expected, without the password', () => {
    for (const [url, expected] of [
      ['mysql://svc:secret@db/svc', 'postgres://'],
      ['postgres://', 'host:port/database'],
      ['postgres:///', 'host:port/database'],
      ['postgres://svc:secret@a,,b/svc', 'between the commas'],
      ['postgres://svc:secret@a,b:port/svc', 'host:port'],
      ['postgres://svc:secret@a,b/svc?target_session_attrs=any', 'read-write or primary'],
    ] as const) {
      expect(() => splitDatabaseUrl(url), url)
        .to.throw(expected)
        .with.property('message')
        .that.does.not.contain('secret')
    }
  })
})
