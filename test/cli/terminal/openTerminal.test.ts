import { expect } from 'chai'
import { readCredentials } from '../../../cli/session/credentials.ts'
import { openTerminal } from '../../../cli/terminal/openTerminal.ts'

describe('openTerminal', () => {
  /** As in a container, whose user has neither HOME nor an entry in the password file. */
  const noHome = () => {
    throw new Error('uv_os_homedir returned ENOENT')
  }
  const hostWith = (env: Record<string, string>) =>
    ({ ...process, env, platform: 'linux' }) as unknown as NodeJS.Process

  it('finds no credentials for a user without a home directory', () => {
    const terminal = openTerminal(hostWith({}), noHome)
    expect(readCredentials(terminal.credentialsFile)).to.equal(null)
    terminal.close()
  })

  it('finds credentials where the user wants them, without a home directory', () => {
    const terminal = openTerminal(hostWith({ XDG_CONFIG_HOME: '/run/config' }), noHome)
    expect(terminal.credentialsFile).to.equal('/run/config/svc/credentials.json')
    terminal.close()
  })
})
