const here = /^https?:\/\/(localhost|[^/]*\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i

/** `https://a,https://b`, or by the names of the contract: `sz=https://a,backup=https://b`. */
function nodesOf(source) {
  const parts = source.split(',').map((part) => part.trim())
  const named = parts.map((part) => /^(\w+)=(.*)$/.exec(part))
  return named.every(Boolean) ? Object.fromEntries(named.map(([, name, address]) => [name, address])) : parts
}

/**
 * Options of `connect` for the source that the environment names, as the command line understands it: `sample`, the directory
 * of an archive, or addresses of a service, whose key is in QUOTEBOOK_APIKEY. A service on this machine may need none.
 */
exports.sourceOf = ({ QUOTEBOOK_SOURCE, QUOTEBOOK_APIKEY }) => {
  const source = QUOTEBOOK_SOURCE?.trim() || 'sample'
  if (source === 'sample') return {}
  if (!/^(\w+=)?https?:\/\//i.test(source)) return { archive: source }
  const nodes = nodesOf(source)
  const isHere = Object.values(nodes).every((node) => here.test(node))
  return { nodes, apikey: QUOTEBOOK_APIKEY?.trim() || (isHere ? 'anonymous' : '') }
}
