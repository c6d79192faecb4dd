"""Every place of a store that can hold memory text, or what gives it away: the list erasure walks.

Each column of the real tables is either here or in `TEXTLESS: dict[Literal["items", "traces"], frozenset[str]] = {
    "items": frozenset(
        """id kind seq made state group_id revision conversation_id turn_id cue_id tag_id content_id origin
        position span_start span_end said_start said_end said_precision said_zoned event_start event_end
        event_precision event_zoned recorded sensitivity made_by""".split()
    ),
    "traces": frozenset(
        """id kind trace_id position strategy budget started ended status seq events parent
        parent_step""".split()
    ),
}
