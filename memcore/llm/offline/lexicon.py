"""Which English words are which: the closed classes whole, of the open ones those that matter for phrases.

`word_class` gives one letter per folded word, and the chunker in `phrases` reads the letters:

    D determiner   P preposition   S subject pronoun   M auxiliary or modal   C conjunction
    A adverb       I intensifier   J vague adjective   V known verb           F filler
    O object or question pronoun, never content        G noun too general to stand alone
    T time word    N everything else: content
"""

from __future__ import annotations

from functools import lru_cache

from memcore.words import word_set

_CLOSED = {
    "D": """a an the my your his her its our their this that these those some any no every each another
        both all
        several many few more most much other such one two three four five six seven eight nine ten""",
    "P": """in at on of for with about to from into onto over under by near around through during after before
        without within between among against towards toward across behind beyond upon off up down out along
        inside outside despite via per since until till like as than""",
    "S": "i you he she it we they who someone everyone everybody somebody nobody people's ive im",
    "M": """
        am is are was were be been being do does did done doing have has had having will would can could
        shall should may might must isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't
        won't wouldn't can't cannot couldn't shouldn't mustn't ain't gonna wanna gotta dont didnt cant
        wont isnt i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's
        it'll it'd we're we've we'll we'd they're they've they'll they'd that's there's here's what's
        who's where's how's let's y'all that'll that'd there'll how're what're who're where're why're
    """,
    "C": """and or but so because cause cuz if when while then though
        although whether unless once nor yet plus 'cause""",
    "A": """
        not never always often sometimes usually also too just only even still already again ever soon
        later away back here there everywhere anywhere somewhere together apart maybe perhaps almost now
        instead though anyway anymore especially actually basically definitely certainly probably possibly
        finally recently lately honestly literally seriously hopefully totally absolutely exactly
        apparently currently directly early easily else enough aside forward outdoors indoors nearby
        abroad overseas far fast forever further hard however least less meanwhile otherwise quickly
        rather right sure surely suddenly today's twice well
    """,
    "I": "so very really pretty super extremely incredibly truly quite totally such too how what kinda sorta",
    "O": """me him them us myself yourself himself herself itself ourselves themselves mine yours hers
        ours theirs
        something anything everything nothing what which whom whose why where how there anyone none ones""",
    "F": """
        hey hi hello wow oh ah aw aww awww yay yeah yep yup yes no nope ok okay haha hahaha lol omg ugh
        hmm hm um uh thanks thank thx please sorry congrats congratulations welcome bye goodbye cheers
        dear well right cool gosh btw way anyway absolutely definitely exactly totally sure same ya ye man
        dude buddy bro sis mate lmao yo whoa woah phew oops alright alrighty
    """,
    "G": """
        thing things lot lots bit way ways kind kinds sort sorts stuff time times day days week weeks
        month months year years moment moments people person guy guys folks one ones part parts place
        places case end start fact matter reason reasons idea sense point side today tonight tomorrow
        yesterday morning afternoon evening night nights weekend weekends minute minutes hour hours second
        while number ton tons bunch couple pair rest best worst most luck deal anyone everyone someone
        feeling feelings hand hands chance course example type types world life difference word words step
        steps piece pieces fun amount level kind piece photo picture image pic mind heart eye eyes head
        turn top long
    """,
    "T": """
        january february march april june july august september october november december monday tuesday
        wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec am pm
        o'clock last next ago yesterday today tomorrow tonight
    """,
    "J": """
        good great nice awesome amazing lovely beautiful cool fun wonderful fantastic incredible perfect
        super special big small little huge tiny new old long short high low bad worse better best happy
        sad glad excited proud sure important different same own whole real true certain able ready easy
        tough difficult interesting exciting impressive gorgeous stunning cute sweet kind fine strong weak
        free full busy tired hungry lucky sorry right wrong left next last first second third final main
        major key rewarding inspiring amazing relaxing calming refreshing challenging motivating thrilled
        stoked pumped grateful thankful hopeful optimistic powerful peaceful meaningful memorable unique
        favorite favourite close near far late early ago else possible impossible worth absolute total
        complete entire various super-fun wholesome neat epic crazy weird funny hilarious scary delicious
        tasty yummy fresh nervous anxious curious keen eager awful terrible horrible helpful supportive
        useful valuable vital crucial essential necessary positive negative simple usual normal fancy cozy
        comfy safe sound clear deep bright dark warm cold hot half bunch unforgettable thoughtful genuine
        passionate blessed super-excited afraid bold solid rough alright jealous bored ill sick current
        recent upcoming previous former latest past present future overall extra additional
    """,
}

_VERBS = word_set(
    """
    accept achieve add admire adopt advise agree allow announce answer apply appreciate argue arrange
    arrive ask attend avoid bake be become begin believe belong bet bike book bother break bring broaden
    brighten build buy call camp cancel capture care carry catch celebrate change chat check cheer
    choose clean clear climb collect come comfort compare compete complete connect consider contact
    continue contribute convince cook cope cover create cross cry cycle deal decide dedicate deliver
    depend deserve design develop discover discuss donate draw dream drink drive drop earn eat embrace
    empower encourage end enjoy enter escape excel expand expect experience explain explore express face
    fall feed feel fight figure fill find finish fit fix flow focus follow forget fuel gain gather get
    give glow go grab grow guess handle hang happen hate have hear help hike hold hope host hurt imagine
    improve include influence inspire intend introduce invest invite involve join jump keep know lead
    learn leave lend let lift like listen live look lose love maintain make manage mean meet mention
    mind miss motivate move need notice offer open organize overcome own pack paint participate pass pay
    perform pick plan play prefer prepare present prioritize promise promote protect prove pull push put
    quit raise reach react read realize receive recharge recommend reconnect reduce reflect refresh
    relate relax remember remind rent repair replace represent require rescue research respect respond
    return ride run save say see seem sell send serve set share shine show sign sing sit sketch skip
    sleep smile snap solve sound speak spend spread stand start stay step stick stop struggle study
    succeed suffer suggest support suppose surprise surround swim take talk taste teach tell thank think
    thrive throw tour train transform travel treat trust try turn understand unwind upgrade use visit
    volunteer vote wait walk want warm watch wear win wish wonder work worry write
    """
)

# Too common to lead anywhere as a cue of their own.
LIGHT_VERBS = word_set(
    """
    accept add agree allow answer ask be become begin believe bet bother bring call care change check
    choose come consider continue deal decide depend deserve end enjoy expect face feel fill find finish
    fit follow forget get give go grab guess handle happen have hear help hold hope imagine include
    intend involve keep know lead learn leave let like listen live look lose love make manage mean meet
    mention mind miss move need notice offer open own pass pick plan put quit reach realize receive
    remember remind respond return say see seem send set share show sit sound speak spend stand start
    stay step stick stop suggest suppose take talk tell thank think throw treat trust try turn
    understand use wait want watch wear wish wonder work
    """
)

NEVER_NOUNS = word_set(
    """
    seem become know think say tell make take get give go see keep put bring come forget learn lose mean
    remember understand send sit hear meet eat grow are be have like love enjoy believe appreciate agree
    look feel
    """
)

_IRREGULAR = word_set(
    """
    went:go gone:go did:do done:do had:have has:have made:make took:take taken:take got:get gotten:get
    saw:see seen:see came:come said:say told:tell gave:give given:give found:find thought:think
    knew:know known:know felt:feel left:leave kept:keep began:begin begun:begin brought:bring bought:buy
    built:build caught:catch chose:choose chosen:choose drew:draw drawn:draw drank:drink drove:drive
    driven:drive ate:eat eaten:eat fell:fall fed:feed fought:fight flew:fly forgot:forget
    forgotten:forget grew:grow grown:grow hung:hang heard:hear held:hold lent:lend lost:lose meant:mean
    met:meet paid:pay ran:run rode:ride ridden:ride sang:sing sung:sing sat:sit slept:sleep sold:sell
    sent:send shone:shine shown:show spoke:speak spoken:speak spent:spend stood:stand stuck:stick
    swam:swim swum:swim taught:teach threw:throw thrown:throw understood:understand won:win wore:wear
    worn:wear wrote:write written:write became:become broke:break broken:break led:lead lit:light
    bet:bet quit:quit hurt:hurt wanna:want gonna:go
    """
)

KIN = word_set(
    """
    mom mum mother mommy dad father daddy parents parent sister brother siblings sibling son daughter
    kids kid children child husband wife spouse partner boyfriend girlfriend fiance fiancee aunt uncle
    cousin cousins niece nephew grandma grandpa grandmother grandfather grandparents friend friends
    roommate neighbor neighbour colleague colleagues coworker coworkers boss teacher coach mentor family
    fam baby 엄마 아빠 어머니 아버지 부모님 언니 누나 오빠 형 동생 남동생 여동생 남편 아내 아들 딸
    할머니 할아버지 남자친구 여자친구 친구 친구들 가족 선생님 동료 사촌 조카 이모 고모 삼촌
    """
)
# Praise says how somebody found it, not what it was.
PRAISE = word_set(
    """
    awesome amazing important excited exciting better wonderful fantastic incredible perfect beautiful
    lovely interesting impressive gorgeous stunning special different certain possible difficult worth
    super-excited
    """
)
EVENTS = word_set(
    """
    party wedding birthday concert festival conference parade race trip meeting interview ceremony
    graduation marathon tournament exhibition exhibit workshop reunion anniversary vacation holiday
    dinner lunch picnic recital retreat fundraiser fair show hike match game competition contest class
    course camp appointment gala convention performance audition funeral surgery accident date hackathon
    roadtrip getaway expo summit premiere
    """
)


_ADJECTIVE_ENDS = ("ful", "ous", "less", "able", "ible", "ive")
_NOUNS_LIKE_ADJECTIVES = word_set(
    """
    vegetable detective perspective initiative executive relative archive objective adjective collective
    handful spoonful alternative constable timetable narrative incentive directive
    """
)


@lru_cache(maxsize=1)
def _classes() -> dict[str, str]:
    """Later classes give way to earlier ones; verb forms come last."""
    table: dict[str, str] = {}
    for letter in "FSMCDPIOATGJ":
        for word in _CLOSED[letter].split():
            table.setdefault(word, letter)
    for form in _lemmas():
        table.setdefault(form, "V")
    return table


@lru_cache(maxsize=1)
def _lemmas() -> dict[str, str]:
    """Every form of a known verb, and the verb."""
    table = {form: verb for form, _, verb in (pair.partition(":") for pair in sorted(_IRREGULAR))}
    for verb in sorted(_VERBS):
        for form in _forms(verb):
            table.setdefault(form, verb)
    return table


def _forms(verb: str) -> tuple[str, ...]:
    stem = verb.removesuffix("e")
    if verb.endswith("y") and verb[-2] not in "aeou":
        return verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing", f"{verb}in"
    ends = "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    doubled = f"{verb}{verb[-1]}" if _doubles(verb) else stem
    if verb.endswith(("ee", "oe")):
        return verb, f"{verb}s", f"{verb}d", f"{verb}ing"
    return verb, verb + ends, f"{doubled}ed", f"{doubled}ing", f"{doubled}in"


def _doubles(verb: str) -> bool:
    """run, running: one short vowel and one consonant at the end of a short verb."""
    return (
        2 < len(verb) < 5 and verb[-1] not in "aeiouwxy" and verb[-2] in "aeiou" and verb[-3] not in "aeiou"
    )


@lru_cache(maxsize=100_000)
def word_class(word: str) -> str:
    """The class letter of one folded word (see the module)."""
    known = _classes().get(word)
    if known is not None:
        return known
    if word.endswith(("'ve", "'ll", "'d", "'re", "n't")):
        return "M"
    if word.endswith(_ADJECTIVE_ENDS) and len(word) > 6 and word not in _NOUNS_LIKE_ADJECTIVES:
        return "J"
    if word.endswith("ly") and len(word) > 5 and word not in ("family", "assembly", "butterfly", "italy"):
        return "A"
    return "N"


def verb_lemma(word: str) -> str:
    """The base form of a known verb's form; other words come back as they are."""
    return _lemmas().get(word, word)


@lru_cache(maxsize=100_000)
def singular(noun: str) -> str:
    """The singular of a regular English plural; other words come back as they are."""
    if len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is", "news", "series", "'s")):
        return noun
    if noun in (
        "clothes",
        "pants",
        "jeans",
        "glasses",
        "thanks",
        "always",
        "guts",
        "goods",
        "earrings",
        "headphones",
        "shorts",
        "perhaps",
        "athletics",
        "pajamas",
    ):
        return noun
    if (
        noun.endswith("ies")
        and len(noun) > 4
        and noun not in ("movies", "cookies", "selfies", "brownies", "zombies")
    ):
        return f"{noun[:-3]}y"
    if noun.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) and not noun.endswith("shoes"):
        return noun[:-2]
    return noun[:-1]
