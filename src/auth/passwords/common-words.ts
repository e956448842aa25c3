/** What the most common passwords are made of, in lower case and without digits, the longer before what they begin with. */
export const COMMON_WORDS = `
  administrator administration motdepasse contrasena passwort password passwd iloveyou loveyou letmein welcome whatever
  changeme trustno superman batman spiderman starwars princess sunshine football baseball basketball cricket hockey soccer
  liverpool arsenal chelsea barcelona pokemon minecraft facebook google samsung microsoft windows computer internet
  shadow master dragon monkey michael jennifer jessica charlie daniel jordan hunter thomas andrew joshua
  ashley nicole amanda krishna ganesh hanuman shiva jaishree india mumbai delhi bangalore bengaluru chennai
  qwertyuiop qwertz qwerty azerty asdfghjkl asdfgh zxcvbnm zxcvbn qazwsx qweasd
  spring summer autumn winter january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday today
  secret default guest login admin user root access hello freedom flower cookie cheese pepper ginger silver golden
  orange purple yellow black white green store shop wholesale order dashboard test demo love pass
`
  .trim()
  .split(/\s+/);
