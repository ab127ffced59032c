// @ts-check
// Loads three.js with a renderer that draws nothing.

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) =>
  specifier === 'three' && !context.parentURL?.endsWith('/no-picture.mjs')
    ? { url: new URL('no-picture.mjs', import.meta.url).href, shortCircuit: true }
    : next(specifier, context)
