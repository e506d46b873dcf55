// Says that the release was retracted, if `latest.json` of the lake that it is served with lists it.

/** @param {HTMLElement} place */
async function sayRetracted(place) {
  const { version } = place.dataset
  const answer = await fetch('../../latest.json', { cache: 'no-cache' })
  const told = answer.ok ? await answer.json() : {}
  const found = told.errata?.find((/** @type {{ version: string }} */ one) => one.version === version)
  if (!found) return
  const [why, wrong] = [document.createElement('bdi'), document.createElement('bdi')]
  why.textContent = found.why
  wrong.textContent = found.affected?.join(', ')
  place.append(`Release ${version} was retracted on ${found.retracted_at.slice(0, 10)}: `, why, '.')
  if (wrong.textContent) place.append(' What of it is wrong: ', wrong, '.')
  if (told.version !== version) {
    const link = document.createElement('a')
    link.textContent = `release ${told.version}`
    link.href = new URL(`./${told.version}/explore/index.html`, answer.url).href
    place.append(' The latest is ', link, '.')
  }
  place.hidden = false
}

const retracted = document.getElementById('retracted')
if (retracted && location.protocol !== 'file:') sayRetracted(retracted).catch(() => {})
