// Goes on to the page that the link leads to, with what stands after # in the address, which a refresh would drop.
location.replace(document.querySelector('main a').href + location.hash)
