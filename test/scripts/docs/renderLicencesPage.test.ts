import { expect } from 'chai'
import { renderLicencesPage } from '../../../scripts/docs/renderLicencesPage.ts'

/** Builds a lock file with one package besides the project's own. */
const lockOf = (fields: object, path = 'node_modules/some-package') =>
  JSON.stringify({
    packages: {
      '': { name: 'ours' },
      core: { version: '0.1.0' },
      'node_modules/@svc/core': { link: true },
      [path]: { version: '1.2.3', license: 'MIT', integrity: 'sha512-…', ...fields },
    },
  })

describe('renderLicencesPage', () => {
  it('lists shipped packages, without tools and workspaces', () => {
    const page = renderLicencesPage(lockOf({}))
    expect(page).to.include('## 1 packages').and.include('| `some-package` | 1.2.3 | MIT |')
    expect(renderLicencesPage(lockOf({ dev: true })))
      .to.include('## 0 packages')
      .and.not.include('some-package')
  })

  it('names a nested package by its own name', () => {
    const page = renderLicencesPage(lockOf({}, 'node_modules/outer/node_modules/@scope/inner'))
    expect(page).to.include('| `@scope/inner` | 1.2.3 | MIT |')
  })

  it('allows alternatives if one of them is allowed, and combined licences if all are', () => {
    for (const license of ['(MIT OR GPL-3.0)', 'GPL-3.0 OR ISC', 'MIT AND ISC', '(MIT AND ISC)']) {
      expect(renderLicencesPage(lockOf({ license }))).to.include(license)
    }
    for (const license of ['GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', 'SEE LICENSE IN FILE', undefined]) {
      expect(() => renderLicencesPage(lockOf({ license })), String(license)).to.throw(
        /some-package 1\.2\.3 has the licence/,
      )
    }
  })

  it('rejects an install script that is not listed, also of a tool', () => {
    for (const dev of [true, false]) {
      expect(() => renderLicencesPage(lockOf({ hasInstallScript: true, dev }))).to.throw(
        /runs a program when installed/,
      )
    }
    const listed = renderLicencesPage(lockOf({ hasInstallScript: true }, 'node_modules/esbuild'))
    expect(listed).to.include('| `esbuild` | 1.2.3 | would replace')
  })

  it('rejects a package that is locked without a hash', () => {
    expect(() => renderLicencesPage(lockOf({ integrity: undefined }))).to.throw(/locked without a hash/)
  })
})
