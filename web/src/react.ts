import React, { createElement, Fragment, type ReactNode } from 'preact/compat'

/*
 * Preact under React's name, for our own code and for the packages (vite.config.ts says so): React DOM is 49 kB larger. See
 * docs/decisions/0100-preact-renders-the-dashboard.md.
 */
// @ts-expect-error Preact's types are those of a CommonJS module; its code is not.
export * from 'preact/compat'
export default React

type Props = { mode: 'visible' | 'hidden'; children: ReactNode }

/**
 * The one export of React that Mantine imports and Preact has not. Without the effects of hidden children switched off, so
 * prefer `keepMountedMode="display-none"`, which does not use it.
 *
 * Source: React 19.2, `Activity`.
 */
export function Activity({ mode, children }: Props) {
  return mode === 'visible'
    ? createElement(Fragment, null, children)
    : createElement('div', { hidden: true }, children)
}
