import { parse } from 'yaml'
import { SettingsError } from './settingsError.ts'

/** Reads the text of a file. @throws SettingsError with the setting that names it. */
export function readFileOrExplain(name: string, path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch (error) {
    throw new SettingsError(
      `${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? error}).`,
    )
  }
}

/** Reads a YAML file, which may be JSON. @throws SettingsError with the name of the file. */
export function readYamlFile(name: string, path: string, readFile: (path: string) => string): unknown {
  const text = readFileOrExplain(name, path, readFile)
  try {
    return parse(text)
  } catch (error) {
    throw new SettingsError(`${path} is no YAML: ${error instanceof Error ? error.message : error}`)
  }
}
