"""The wording of the clue tree (see clue_tree.py): what the two cousins tell each other on a treasure hunt.

Only a first clue and the rumours speak in the words of the question; later clues and dead ends share
none with it. A test holds both.
"""

from __future__ import annotations

QUESTION = "In the lantern hunt that starts with {name}, where is the silver whistle hidden?"
SPEAKERS = ("Ottilie", "Benno")

# Three parts of a person's name, each a list of words.
NAME_PARTS = (
    "Al Bar Cor Del Er Fal Gal Hal Is Jor Kel Lor Mar Nev Or Per Quin Ros Sel Tor Ul Ver Win Yar Zel",
    "a e i o u ai ei",
    "bet dric fira gard lind mond nara pert rick sande thor vanne wyn zara",
)
PLACE_STARTS = "Nettle Cinder Maple Otter Thistle Copper Heron Juniper Marsh Pebble Raven Sorrel Tansy Willow"
PLACE_ENDS = "mere wick ford combe stead hollow bury dale garth holme leigh minster thwaite worth"

# The Town Hall stands in many rumours as well: whoever expands a first clue by it gets those.
FIRST = "The lantern hunt: {here} met us at the Town Hall, looked us up and down, and sent us on to {next}."
OTHER_FIRST = "Last year it was {here} at the Town Hall who looked us up and down and sent us on to {next}."
MIDDLE = (
    "{here} answered in slippers, poured us tea, and said only this: go and ask {next}, who mends nets.",
    "We rang twice. {here} leaned out with flour on both hands and called down that {next} would know more.",
    "Asleep under a newspaper, that was {here}. On its margin, in pencil, stood a single name: {next}.",
    "It took {here} a whole plum cake to remember, but then it came: we should knock at the gate of {next}.",
    "Not a word from {here}, but we were drawn a nose, a hat and a ferret. That can only be {next}.",
    "From {here} we were handed a paper bag. Between the cherries was a note that read: now visit {next}.",
    "Our buttons were counted by {here}, who nodded and told us that {next} has been up since breakfast.",
    "We had to guess at {here}'s. At the twelfth try we were right: {next}, the one with the geese.",
)
LAST = "Through wet grass we followed {here} to {find}."
THE_FIND = "lifted the third beehive, and there it was at last, wrapped in a sock"
EMPTY_FINDS = (
    "dug beside the well, and found a jar full of buttons",
    "climbed into the loft, and met an offended owl",
    "turned over the old boat, and found toffee from another century",
    "moved the scarecrow, and there was only a smaller scarecrow",
    "shook the pear tree, and got pears",
    "emptied the rain barrel, and found somebody's left boot",
    "looked behind the oven, and found a letter to the baker",
    "unrolled the carpet, and it was simply a carpet",
)

DEAD_ENDS = (
    "Two turnips were sold to us by {here}, who then changed the subject to the weather.",
    "We passed {here} on the towpath again: a wave, a cough, nothing more.",
    "Mother says that {here} used to breed rabbits and never wins at cards.",
    "The dog of {here} followed us home, which didn't help anybody.",
    "Overnight the fence of {here} was painted green, and the whole lane is guessing who did it.",
    "An umbrella was lent to us by {here}, so we have to go back there someday.",
    "I waited an hour for {here}, and then it turned out to be the wrong gate.",
    "At the barber's they say that {here} sings in the bath, in Latin.",
    "A postcard came for {here}, with a mountain on it and no stamp.",
    "Nobody has bought more raffle tickets than {here}, and nobody has won less.",
    "For a moment I took the scarecrow for {here}, and it was more polite.",
    "The geese chased {here} across the green, twice.",
)

RUMOURS = (
    "A whistle was found in {place} once, says {name}, but it was only tin.",
    "At dusk {name} puts a lantern in the window and looks over towards {place}.",
    "Last night I dreamt of a whistle baked into a loaf, and {name} ate all of it.",
    "For the hunt you need dry socks, says {name}, and a friend in {place}.",
    "Nobody in {place} has any silver, {name} least of all.",
    "When the hunt comes past, {name} closes the shutters and goes to bed.",
    "The grandmother of {name} polished silver for a whole winter, over in {place}.",
    "Our lantern went out twice, both times in front of {name}.",
    "There is a second whistle, but {name} says it makes every dog in {place} howl.",
    "A poster for the hunt hangs in {place}, with a drawing of {name} on a ladder.",
    "Something is hidden in {place}, says {name}, and then asks for a biscuit.",
    "Without a lantern, says {name}, the road to {place} is no fun at all.",
)
TAILS = (
    "The Town Hall clock was wrong again.",
    "They laughed about it on the steps of the Town Hall.",
    "It was said aloud in the Town Hall, so it must be true.",
    "Grandfather only shook his head.",
    "I don't believe a word of it.",
    "The Town Hall has a file about that.",
    "Write it down anyway.",
    "That is what the baker heard.",
    "Somebody always says so in September.",
    "We ate our sandwiches and thought about it.",
    "The Town Hall porter told us for free.",
    "It rained while I heard it.",
)
