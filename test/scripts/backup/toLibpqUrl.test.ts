import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { toLibpqUrl } from '../../../scripts/backup/toLibpqUrl.ts'

const BASE = 'postgres://svc@db.internal:5433/svc'
const DUMPS = 'pg_dump'

/** Whether the client programs are installed, which report what they reject in a URL before they connect. */
const hasTools = spawnSync(DUMPS, ['--version']).status === 0

describe('toLibpqUrl', () => {
  for (const [given, understood] of [
    ['', ''],
    ['?sslmode=no-verify', '?sslmode=require'],
    ['?sslmode=no-verify&sslrootcert=/ca.pem', '?sslmode=require'],
    [
      '?uselibpqcompat=true&sslmode=verify-ca&sslrootcert=/ca.pem',
      '?sslmode=verify-ca&sslrootcert=%2Fca.pem',
    ],
    ['?uselibpqcompat=true', ''],
    ['?ssl=true', '?sslmode=require'],
    ['?ssl=no-verify', '?sslmode=require'],
    ['?ssl=0&sslmode=verify-full', '?sslmode=verify-full'],
    ['?options=-c%20search_path%3Dx&ssl=0', '?options=-c%20search_path%3Dx&sslmode=disable'],
  ] as const) {
    it(`converts ${given || 'a URL without parameters'}`, () => {
      expect(toLibpqUrl(BASE + given)).to.deep.equal({ url: BASE + understood, password: '' })
    })
  }

  it('separates the password', () => {
    const { url, password } = toLibpqUrl('postgres://svc:p%40ss@db.internal/svc?sslmode=no-verify')
    expect(password).to.equal('p@ss')
    expect(url).to.equal('postgres://svc@db.internal/svc?sslmode=require')
  })

  it('names all hosts, and asks for the one that accepts writes', () => {
    const { url } = toLibpqUrl('postgres://svc:p@a:1,[::1]:2,b/svc?ssl=true')
    expect(url).to.equal('postgres://svc@a:1,[::1]:2,b/svc?sslmode=require&target_session_attrs=read-write')
  })

  it('contains nothing that pg_dump rejects', function () {
    if (!hasTools) this.skip()
    const complaint = (query: string) => {
      const { url } = toLibpqUrl(`postgres://svc@127.0.0.1:1/x${query}`)
      return spawnSync(DUMPS, ['--no-password', `--dbname=${url}`], { encoding: 'utf8' }).stderr
    }
    for (const query of ['?sslmode=no-verify&uselibpqcompat=true', '?ssl=1', '?ssl=no-verify', '?ssl=0'])
      expect(complaint(query), query).to.include('refused')
  })
})
