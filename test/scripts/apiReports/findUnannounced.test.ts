import { expect } from 'chai'
import { findUnannounced, readUnreleased } from '../../../scripts/apiReports/findUnannounced.ts'

/** A report as API Extractor writes it. */
const report = (...declarations: string[]) =>
  `## API Report File\n\n\`\`\`ts\n\n${declarations.map((text) => `// @public\n${text}\n`).join('\n')}\n\`\`\`\n`

const VERIFY = 'export function verify(text: string): boolean;'
const SIGN = 'export function sign(text: string): string;'

describe('changes of public names', () => {
  it('are none in a module that is new or the same', () => {
    expect(findUnannounced(null, report(VERIFY), '')).to.deep.equal([])
    expect(findUnannounced(report(VERIFY, SIGN), report(SIGN, VERIFY), '')).to.deep.equal([])
  })

  it('are found where a name is added, altered or removed', () => {
    const altered = 'export function verify(text: string, key: string): boolean;'
    expect(findUnannounced(report(VERIFY), report(VERIFY, SIGN), '')).to.deep.equal(['sign'])
    expect(findUnannounced(report(VERIFY), report(altered), '')).to.deep.equal(['verify'])
    expect(findUnannounced(report(VERIFY, SIGN), report(SIGN), '')).to.deep.equal(['verify'])
  })

  it('are found in an overload, and in classes and types', () => {
    const overload = 'export function verify(text: Uint8Array): boolean;'
    expect(findUnannounced(report(VERIFY), report(VERIFY, overload), '')).to.deep.equal(['verify'])
    const [before, after] = [
      report('export class Failure extends Error {}', 'export type Code = 1;'),
      report('export class Failure extends Error {\n    code: Code;\n}', 'export type Code = 2;'),
    ]
    expect(findUnannounced(before, after, '')).to.deep.equal(['Failure', 'Code'])
  })

  it('are announced by their name in backticks, not by a part of another', () => {
    const [before, after] = [report(VERIFY), report(VERIFY, SIGN)]
    expect(findUnannounced(before, after, '- `sign` makes a signature.')).to.deep.equal([])
    expect(findUnannounced(before, after, '- `signRequest`, to sign')).to.deep.equal(['sign'])
  })

  it('count only what is not released yet', () => {
    const changelog = '# Changelog\n\n## [Unreleased]\n\n- `a`\n\n## [0.1.0] - 2026-11-21\n\n- `b`\n'
    expect(readUnreleased(changelog)).to.include('`a`').and.not.include('`b`')
    expect(() => readUnreleased('# Changelog\n')).to.throw('no section [Unreleased]')
  })
})
