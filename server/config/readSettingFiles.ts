import { readFileSync } from 'node:fs'
import { SETTINGS } from './settings.ts'

const SUFFIX = '_FILE'

/**
 * Returns the environment with the content of the named file in place of each `NAME_FILE`, so that secrets need not be in
 * the environment, where child processes and crash reports show them. One line break at the end of a file is removed.
 *
 * `PLATFORMS_FILE` and other settings that are file names themselves are left as they are. An empty variable counts as not
 * set.
 *
 * @throws Error that names the setting if `NAME` is set as well, or if the file is unreadable or empty.
 */
export function readSettingFiles(
  environment: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const read = { ...environment }
  for (const [variable, path] of Object.entries(environment)) {
    const name = settingInFile(variable)
    if (name === null) continue
    delete read[variable]
    if (path === undefined || path === '') continue
    if (environment[name])
      throw new Error(`Settings ${name} and ${variable} are both set; remove one of them`)
    read[name] = readValue(variable, path)
  }
  return read
}

/** The setting whose file a variable names: `SECRETS_KEY` for `SECRETS_KEY_FILE`; null for any other variable. */
function settingInFile(variable: string): string | null {
  if (variable in SETTINGS || !variable.endsWith(SUFFIX)) return null
  const name = variable.slice(0, -SUFFIX.length)
  return name in SETTINGS ? name : null
}

function readValue(variable: string, path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`Setting ${variable}: ${path} cannot be read (${code})`, { cause })
  }
  const value = text.replace(/\r?\n$/, '')
  if (value === '') throw new Error(`Setting ${variable}: ${path} is empty`)
  return value
}
