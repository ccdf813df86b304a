/**
 * Words and keyboard walks that attackers try first, in lower case, including names, teams and brands.
 *
 * A password has at least ten characters, so most of these words are the ones that people lengthen. `findPasswordFault`
 * recognises them with added digits and symbols, substituted letters or a second word.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  password passwort passw0rd passwd passcode passphrase motdepasse contrasena contraseña senha parola wachtwoord salasana
  heslo haslo sifre kennwort geheim secret secrets topsecret mysecret mypassword thepassword newpassword oldpassword
  yourpassword changeme changeit letmein letmeinnow openup opensesame openthedoor welcome welcomeback willkommen
  bienvenue bienvenido hello helloworld hellothere hallo hallowelt bonjour hola ciao goodbye default temporary temp
  tempor temppass guest visitor user username test testing tester testtest testpassword demo sample example admin
  administrator root superuser sysadmin system server master mastermind manager support service login logon signin
  access account security secure private nothing noaccess internet computer laptop network database windows microsoft
  macintosh apple google facebook instagram twitter youtube netflix amazon samsung nokia motorola android iphone
  linux ubuntu debian oracle cisco office outlook gmail hotmail yahoo
  iloveyou iloveyouso iloveme ilovegod ilovehim iloveher ilovemom ilovemyself loveyou loveme lovely lover lovers love
  forever foreveryours always together teamo tequiero tiamo jetaime ichliebedich liebe amour amor amore corazon schatz
  mylove truelove babygirl babyboy baby sweetheart sweetie sweety honey honeybee darling princess prince queen king
  angel angels angelito heaven jesus jesuschrist christ godisgood god blessed faith grace hope church holyspirit
  sunshine sunflower sunset sunrise moonlight moon starlight star stars rainbow rainbows butterfly flower flowers
  rose summer winter autumn spring january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday birthday holiday christmas halloween newyear easter
  football footballer soccer baseball basketball volleyball hockey golf golfer tennis cricket rugby running swimming
  liverpool arsenal chelsea manchester manutd barcelona realmadrid juventus bayern dortmund yankees lakers cowboys
  steelers patriots eagles packers raiders redsox giants broncos dolphins ferrari porsche mercedes lamborghini mustang
  corvette camaro harley harleydavidson yamaha honda toyota nissan chevrolet chevy ford jaguar audi volkswagen
  monkey monkeys dragon dragons tiger tigers lion lions panther cheetah leopard eagle falcon phoenix wolf wolves
  bear bears shark sharks dolphin horse horses puppy puppies kitten kitty hellokitty cat cats dog dogs doggy doggie
  rabbit bunny turtle chicken cowboy spider snake unicorn bulldog pitbull rottweiler
  batman superman spiderman ironman wolverine deadpool joker avengers captain america starwars startrek skywalker
  lukeskywalker darthvader yoda chewbacca pokemon pikachu naruto sasuke goku dragonball minecraft fortnite roblox
  callofduty counterstrike warcraft worldofwarcraft starcraft diablo halo zelda mario nintendo playstation xbox matrix
  thematrix gandalf frodo hobbit lordoftherings harrypotter hogwarts voldemort jamesbond simpsons homer bart garfield
  snoopy scooby scoobydoo mickey mickeymouse minnie tinkerbell barbie godzilla terminator rocky rambo
  metallica nirvana slipknot eminem beatles linkinpark greenday blink182 rockstar rocknroll music guitar drummer dance
  michael michelle jennifer jessica jordan ashley amanda daniel andrew joshua matthew anthony robert william thomas
  charlie charles george richard joseph christopher nicholas nicole samantha elizabeth stephanie victoria alexander
  alexandra alejandro fernando carlos roberto maria mariana martin martina patrick patricia melissa brandon justin
  hannah sophie lauren rebecca rachel natasha natalie andrea sabrina veronica benjamin jonathan sebastian maximilian
  taylor tyler hunter harley maggie ginger pepper buster bailey sammy lucky shadow smokey midnight precious cookie
  cookies chocolate banana bananas cherry strawberry orange peaches pumpkin cheese cheesecake pizza coffee whiskey
  vodka tequila budweiser heineken cocacola pepsi snickers
  purple yellow silver golden gold black white blue green red pink blackcat whitecat redhead bluesky greentree
  freedom liberty justice peace victory winner champion champions number numberone legend hero ninja samurai warrior
  knight wizard magic magical mystery crystal diamond thunder lightning storm blizzard hurricane fire fireman firefly
  phantom ghost killer hacker cracker hacked trustno trustnoone whatever whatsup nevermind dontknow idontknow forgot
  iforgot remember rememberme imissyou fuckyou fuckoff fuckme asshole bullshit bitch pussy sexy sexygirl hottie
  america american england english london paris berlin germany deutschland france francais italia italiano espana
  mexico brasil canada australia newyork chicago texas florida california losangeles boston denver dallas houston
  atlanta detroit seattle moscow russia india indian china chinese japan tokyo turkiye istanbul
  qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qwer qwerasdf qazwsx
  qazwsxedc wsxedc zaqwsx zaqxsw qweasd qweasdzxc asdfqwer poiuyt poiuytrewq lkjhgf lkjhgfdsa mnbvcxz abc abcd abcdef
  abcdefg abcdefgh aaa xxx zzz
  school student teacher college university class family mother father mommy daddy mama papa sister brother friend
  friends bestfriend bestfriends friendship children daughter grandma grandpa husband wife marriage wedding
  company business money dollar dollars million millionaire bitcoin crypto ethereum blockchain wallet trading
  banking finance job work worker working office boss startup letsgo gogogo nopassword
  correcthorsebatterystaple
  `
    .trim()
    .split(/\s+/),
)
