/** Pages outside `docs/` that the site shows too, with their addresses. */
const GUESTS: Readonly<Record<string, string>> = {
  'client/README.md': 'client-library.md',
  'clients/python/README.md': 'python-client.md',
  'examples/README.md': 'examples.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'client/CHANGELOG.md': 'client-library-changelog.md',
  'gate/CHANGELOG.md': 'gate-changelog.md',
  'cli/CHANGELOG.md': 'cli-changelog.md',
  'clients/python/CHANGELOG.md': 'python-client-changelog.md',
  // The page of the module `index`; the README of its folder becomes the folder's page.
  'docs/client-reference/index.md': 'client-reference/main.md',
}

/**
 * The page of the site on which a Markdown file of the repository is shown, or null if it is not part of the site.
 *
 * A README becomes the page of its folder.
 *
 * @param file relative to the root of the repository.
 */
export function sitePath(file: string): string | null {
  const guest = GUESTS[file]
  if (guest !== undefined) return guest
  const inside = /^docs\/(?!screenshots\/)(.+\.md)$/.exec(file)?.[1]
  return inside?.replace(/(^|\/)README\.md$/, '$1index.md') ?? null
}
